#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// <wchar.h> declares it only under feature macros that a module cannot set.
extern int wcwidth(wchar_t scalar);

// The modes of the terminal as they were found, and as the app has set them. They are kept here, in plain C, because a
// signal handler may touch nothing else. Every object file that uses them gets its own copy: use them from one Swift file.
struct words_modes {
    struct termios found;
    struct termios set;
    volatile sig_atomic_t are_set;
};

static inline struct words_modes *words_modes(void) {
    static struct words_modes modes;
    return &modes;
}

// How what is typed reaches the program.
enum words_input { words_input_lines = 0, words_input_hidden_lines = 1, words_input_keys = 2 };

// Gives the terminal back its modes. Safe in a signal handler, and to be called twice.
static inline void words_restore_modes(void) {
    if (words_modes()->are_set) { tcsetattr(STDIN_FILENO, TCSADRAIN, &words_modes()->found); }
}

// A crash: the modes go back, then the signal does what it does by default.
static inline void words_restore_and_die(int number) {
    words_restore_modes();
    signal(number, SIG_DFL);
    raise(number);
}

// Ctrl-Z: the shell gets its modes back for as long as the app sleeps.
static inline void words_suspend(int number) {
    int error = errno;
    words_restore_modes();
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    signal(number, words_suspend);
    if (words_modes()->are_set) { tcsetattr(STDIN_FILENO, TCSADRAIN, &words_modes()->set); }
    errno = error;
}

// Sets how input comes; on the first call also sees to it that the modes go back however the process ends.
// Returns 0, or -1 where standard input is no terminal.
static inline int words_set_input(int input) {
    if (!words_modes()->are_set) {
        if (tcgetattr(STDIN_FILENO, &words_modes()->found) != 0) { return -1; }
        int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGQUIT};
        for (unsigned index = 0; index < sizeof crashes / sizeof *crashes; index++) {
            signal(crashes[index], words_restore_and_die);
        }
        signal(SIGTSTP, words_suspend);
        atexit(words_restore_modes);
    }
    struct termios modes = words_modes()->found;
    if (input != words_input_lines) { modes.c_lflag &= ~(tcflag_t)ECHO; }
    if (input == words_input_hidden_lines) { modes.c_lflag |= ECHONL; }
    if (input == words_input_keys) {
        modes.c_lflag &= ~(tcflag_t)(ICANON | IEXTEN);
        modes.c_cc[VMIN] = 1;
        modes.c_cc[VTIME] = 0;
    }
    words_modes()->set = modes;
    words_modes()->are_set = 1;
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

// Ends what `words_set_input` has begun.
static inline void words_end_input(void) {
    words_restore_modes();
    words_modes()->are_set = 0;
}

// The columns of the terminal at standard output; 0 where it does not say.
static inline int words_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
