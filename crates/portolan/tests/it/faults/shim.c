/* Loaded before the C library: counts what a process does to files below FAULT_DIR, and at the FAULT_AT-th time
 * kills it (FAULT=kill), stops it until it is told to go on (FAULT=stop), fails once (FAULT=EIO, ENOSPC), writes half of what it should (FAULT=short), or fails from
 * then on (FAULT=full). The count is left in FAULT_COUNT; each operation is a line of FAULT_LOG, before it is done. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PASS = 0, FAIL = 1, HALF = 2 };

static atomic_long count;
static const char *dir, *fault;
static long at;

__attribute__((constructor)) static void begin(void) {
    dir = getenv("FAULT_DIR");
    fault = getenv("FAULT");
    at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : -1;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%ld\n", atomic_load(&count));
        fclose(out);
    }
}

static int is_ours(const char *path) {
    return dir && path && strncmp(path, dir, strlen(dir)) == 0;
}

/* Without the functions below, which would count it. */
static void note(const char *operation, const char *path) {
    const char *log = getenv("FAULT_LOG");
    if (!log) return;
    char line[PATH_MAX + 16];
    int n = snprintf(line, sizeof line, "%s %s\n", operation, path);
    int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0) return;
    syscall(SYS_write, fd, line, n);
    syscall(SYS_close, fd);
}

static int verdict(const char *operation, const char *path) {
    if (!is_ours(path) || !fault) return PASS;
    note(operation, path);
    long n = atomic_fetch_add(&count, 1) + 1;
    if (strcmp(fault, "full") == 0 && n >= at) return errno = ENOSPC, FAIL;
    if (n != at) return PASS;
    if (strcmp(fault, "kill") == 0) raise(SIGKILL);
    if (strcmp(fault, "stop") == 0) raise(SIGSTOP);
    if (strcmp(fault, "short") == 0) return HALF;
    if (strcmp(fault, "EIO") == 0) return errno = EIO, FAIL;
    if (strcmp(fault, "ENOSPC") == 0) return errno = ENOSPC, FAIL;
    return PASS;
}

static int verdict_fd(const char *operation, int fd) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(name, path, sizeof path - 1);
    if (n <= 0) return PASS;
    path[n] = 0;
    return verdict(operation, path);
}

#define REAL(ret, name, ...) \
    static ret (*real)(__VA_ARGS__); \
    if (!real) real = (ret (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define LENGTH(n) \
    int v = verdict_fd("write", fd); \
    if (v == FAIL) return -1; \
    if (v == HALF && n > 1) n /= 2

ssize_t write(int fd, const void *bytes, size_t n) {
    REAL(ssize_t, "write", int, const void *, size_t);
    LENGTH(n);
    return real(fd, bytes, n);
}
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t to) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    LENGTH(n);
    return real(fd, bytes, n, to);
}
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t to) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    LENGTH(n);
    return real(fd, bytes, n, to);
}
ssize_t writev(int fd, const struct iovec *parts, int n) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    if (verdict_fd("write", fd) == FAIL) return -1;
    return real(fd, parts, n);
}
int fsync(int fd) {
    REAL(int, "fsync", int);
    return verdict_fd("sync", fd) == FAIL ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return verdict_fd("sync", fd) == FAIL ? -1 : real(fd);
}
int ftruncate(int fd, off_t n) {
    REAL(int, "ftruncate", int, off_t);
    return verdict_fd("truncate", fd) == FAIL ? -1 : real(fd, n);
}
int ftruncate64(int fd, off64_t n) {
    REAL(int, "ftruncate64", int, off64_t);
    return verdict_fd("truncate", fd) == FAIL ? -1 : real(fd, n);
}
int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return verdict("rename", to) == FAIL ? -1 : real(from, to);
}
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return verdict("unlink", path) == FAIL ? -1 : real(path);
}
int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return verdict("mkdir", path) == FAIL ? -1 : real(path, mode);
}
int open(const char *path, int flags, ...) {
    REAL(int, "open", const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT && verdict("open", path) == FAIL) return -1;
    return real(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    REAL(int, "open64", const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT && verdict("open", path) == FAIL) return -1;
    return real(path, flags, mode);
}
