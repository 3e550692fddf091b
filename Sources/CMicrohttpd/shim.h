#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/eventfd.h>
#include <poll.h>
#include <microhttpd.h>
