/* Loaded before the C library: counts what a process does to files below FAULT_DIR, and at the FAULT_AT-th time
 * kills it (FAULT=kill), fails once (FAULT=EIO, ENOSPC), writes half of what it should (FAULT=short), or fails from
 * then on (FAULT=full). The count is left in FAULT_COUNT. */
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

static int is_our_fd(int fd) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(name, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return is_ours(path);
}

static int verdict(int ours) {
    if (!ours || !fault) return PASS;
    long n = atomic_fetch_add(&count, 1) + 1;
    if (strcmp(fault, "full") == 0 && n >= at) return errno = ENOSPC, FAIL;
    if (n != at) return PASS;
    if (strcmp(fault, "kill") == 0) raise(SIGKILL);
    if (strcmp(fault, "short") == 0) return HALF;
    if (strcmp(fault, "EIO") == 0) return errno = EIO, FAIL;
    if (strcmp(fault, "ENOSPC") == 0) return errno = ENOSPC, FAIL;
    return PASS;
}

#define REAL(ret, name, ...) \
    static ret (*real)(__VA_ARGS__); \
    if (!real) real = (ret (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define LENGTH(n) \
    int v = verdict(is_our_fd(fd)); \
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
    if (verdict(is_our_fd(fd)) == FAIL) return -1;
    return real(fd, parts, n);
}
int fsync(int fd) {
    REAL(int, "fsync", int);
    return verdict(is_our_fd(fd)) == FAIL ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return verdict(is_our_fd(fd)) == FAIL ? -1 : real(fd);
}
int ftruncate(int fd, off_t n) {
    REAL(int, "ftruncate", int, off_t);
    return verdict(is_our_fd(fd)) == FAIL ? -1 : real(fd, n);
}
int ftruncate64(int fd, off64_t n) {
    REAL(int, "ftruncate64", int, off64_t);
    return verdict(is_our_fd(fd)) == FAIL ? -1 : real(fd, n);
}
int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return verdict(is_ours(to)) == FAIL ? -1 : real(from, to);
}
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return verdict(is_ours(path)) == FAIL ? -1 : real(path);
}
int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return verdict(is_ours(path)) == FAIL ? -1 : real(path, mode);
}
int open(const char *path, int flags, ...) {
    REAL(int, "open", const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT && verdict(is_ours(path)) == FAIL) return -1;
    return real(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    REAL(int, "open64", const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT && verdict(is_ours(path)) == FAIL) return -1;
    return real(path, flags, mode);
}
