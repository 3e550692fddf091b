#include <wchar.h>
#include <locale.h>
#include <termios.h>
#include <sys/ioctl.h>
#include <unistd.h>

// <wchar.h> declares it only under feature macros that a module cannot set.
extern int wcwidth(wchar_t scalar);
