/* Runs a program and counts the calls by which it changes which files there are or makes them last, in all threads: names
 * given, names removed, files made empty, and waits for the disk. Kills it before the N-th. The count is left in a file.
 * The C library is no place to count these: not everything goes through it.
 *
 *   tracer COUNT_FILE N PROGRAM ARGUMENTS... */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel's; not every C library has it. */
#ifndef PTRACE_GET_SYSCALL_INFO
#define PTRACE_GET_SYSCALL_INFO 0x420e
#endif
struct syscall_info {
    unsigned char op;
    unsigned char padding[3];
    unsigned int arch;
    unsigned long long instruction_pointer, stack_pointer, nr, arguments[8];
};

static int counts(unsigned long long call) {
    switch (call) {
#ifdef SYS_rename
    case SYS_rename:
    case SYS_unlink:
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
    case SYS_unlinkat:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
        return 1;
    default:
        return 0;
    }
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    long at = atol(argv[2]), count = 0;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(argv[3], argv + 3);
        _exit(127);
    }
    int status, code = 0;
    waitpid(child, &status, 0);
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, 0, options) != 0) return 3;
    ptrace(PTRACE_SYSCALL, child, 0, 0);
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) break;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == child) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80)) {
            struct syscall_info info;
            long got = ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
            if (got > 0 && info.op == 1 && counts(info.nr) && ++count == at)
                kill(child, SIGKILL);
            signal = 0;
        } else if (signal == SIGTRAP || signal == SIGSTOP) {
            signal = 0;
        }
        ptrace(PTRACE_SYSCALL, thread, 0, signal);
    }
    FILE *out = fopen(argv[1], "w");
    if (!out) return 4;
    fprintf(out, "%ld\n", count);
    fclose(out);
    return code;
}
