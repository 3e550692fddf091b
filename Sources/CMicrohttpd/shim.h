#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/eventfd.h>
#include <poll.h>
#include <microhttpd.h>

/* Swift cannot call variadic functions, and an option takes a function as an integer. */

static inline int words_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int words_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *words_connection_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline intptr_t words_uri_callback(
    void *(*callback)(void *, const char *, struct MHD_Connection *)) {
    return (intptr_t)callback;
}

static inline intptr_t words_completed_callback(MHD_RequestCompletedCallback callback) {
    return (intptr_t)callback;
}

static inline intptr_t words_connection_callback(MHD_NotifyConnectionCallback callback) {
    return (intptr_t)callback;
}

static inline intptr_t words_unescape_callback(size_t (*callback)(void *, struct MHD_Connection *, char *)) {
    return (intptr_t)callback;
}

static inline intptr_t words_logger(void (*callback)(void *, const char *, va_list)) {
    return (intptr_t)callback;
}
