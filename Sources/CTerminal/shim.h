#include <wchar.h>
#include <locale.h>
#include <termios.h>
#include <sys/ioctl.h>
#include <unistd.h>
