/*
 * Intercepts the calls of the server to the C library and counts every call that changes files under one
 * directory. At a chosen call the shim kills the process, makes the call fail, once or from then on, or
 * makes a write short: the write takes half of its bytes, and the next write fails. A short write alone
 * has no effect, because Node writes the rest itself.
 * shim.ts compiles this library and controls it through a file that both map: see struct control.
 *
 *   LD_PRELOAD          this library
 *   CMS_SHIM_DIR        only calls on paths below this directory count
 *   CMS_SHIM_CONTROL    file of at least sizeof(struct control) bytes
 *   CMS_SHIM_JOURNAL    receives a line "number call path" for each counted call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

enum mode { OFF, COUNT, KILL, ONCE, FROM, DELAY, LIE, SHORT };

struct control {
  int mode;
  int at;      /* number of the call, starting at 1 */
  int error;   /* errno of a failing call */
  int delayMs; /* delay of every sync */
  int count;   /* calls so far */
  int hits;    /* failed or short calls; set to 1 before the process is killed */
};

static volatile struct control *control;
static const char *directory;
static int journal = -1;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("CMS_SHIM_CONTROL");
  directory = getenv("CMS_SHIM_DIR");
  /* Child processes are excluded, because a kill would end only the child. */
  unsetenv("LD_PRELOAD");
  if (path == NULL || directory == NULL) return;
  directory = strdup(directory);
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) _exit(99);
  journal = syscall(SYS_openat, AT_FDCWD, getenv("CMS_SHIM_JOURNAL"),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  control = map;
}

/* Only errors that a call can really return: only open needs a descriptor, and a removal needs no space. */
static int mayAnswer(const char *call, int error) {
  int opens = strcmp(call, "open") == 0 || strcmp(call, "create") == 0;
  if (error == EMFILE) return opens;
  int takesRoom = strcmp(call, "open") && strcmp(call, "unlink") && strcmp(call, "rmdir");
  return error == ENOSPC ? takesRoom : 1;
}

/* isShort: the next write of this thread takes half of its bytes. isRest: the next write fails. */
static __thread int isShort, isRest;

/* Returns true if the call must fail, and sets errno. */
static int fails(const char *call, const char *path) {
  if (control == NULL || control->mode == OFF) return 0;
  size_t length = strlen(directory);
  if (strncmp(path, directory, length) || (path[length] != '/' && path[length] != 0)) return 0;

  int number = __sync_add_and_fetch(&control->count, 1);
  char line[600];
  int size = snprintf(line, sizeof line, "%d %s %.500s\n", number, call, path);
  syscall(SYS_write, journal, line, size);

  if (control->mode == KILL && number == control->at) {
    control->hits = 1;
    syscall(SYS_kill, getpid(), SIGKILL);
  }
  if (control->mode == SHORT && number == control->at) {
    control->hits = 1;
    isShort = 1;
  }
  int isHit = (control->mode == ONCE && number == control->at) ||
              (control->mode == FROM && number >= control->at && mayAnswer(call, control->error));
  if (!isHit) return 0;
  __sync_add_and_fetch(&control->hits, 1);
  errno = control->error;
  return 1;
}

static int failsFd(const char *call, int fd) {
  if (control == NULL || control->mode == OFF) return 0;
  char link[64], path[600];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return 0;
  path[size] = 0;
  return fails(call, path);
}

/* Returns true if a sync must be skipped and reported as done. */
static int isLie(void) {
  if (control == NULL) return 0;
  if (control->mode == DELAY) usleep(control->delayMs * 1000);
  return control->mode == LIE;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = va_arg(list, mode_t); \
    va_end(list); \
    return fails(flags & O_CREAT ? "create" : "open", path) ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define ON_PATH(name, call, parameters, path, ...) \
  int name parameters { \
    REAL(name); \
    return fails(call, path) ? -1 : real(__VA_ARGS__); \
  }
ON_PATH(mkdir, "mkdir", (const char *path, mode_t mode), path, path, mode)
ON_PATH(rename, "rename", (const char *from, const char *to), to, from, to)
ON_PATH(link, "link", (const char *from, const char *to), to, from, to)
ON_PATH(unlink, "unlink", (const char *path), path, path)
ON_PATH(rmdir, "rmdir", (const char *path), path, path)

#define ON_FD(type, name, fails, parameters, ...) \
  type name parameters { \
    REAL(name); \
    return fails ? -1 : real(__VA_ARGS__); \
  }
/* Returns half of the size if the write must be short. */
static size_t given(size_t size) {
  if (!isShort) return size;
  isShort = 0;
  isRest = 1;
  return size / 2;
}

static int failsWrite(int fd) {
  if (failsFd("write", fd)) return 1;
  if (!isRest) return 0;
  isRest = 0;
  errno = control->error;
  return 1;
}

ssize_t writev(int fd, const struct iovec *list, int count) {
  REAL(writev);
  if (failsWrite(fd)) return -1;
  if (!isShort) return real(fd, list, count);
  struct iovec half = {list[0].iov_base, given(list[0].iov_len)};
  return real(fd, &half, 1);
}

ON_FD(ssize_t, write, failsWrite(fd), (int fd, const void *data, size_t size), fd, data, given(size))
ON_FD(ssize_t, pwrite, failsWrite(fd), (int fd, const void *data, size_t size, off_t at), fd, data, given(size), at)
ON_FD(ssize_t, pwrite64, failsWrite(fd), (int fd, const void *data, size_t size, off64_t at), fd, data, given(size), at)
ON_FD(ssize_t, pwritev, failsWrite(fd), (int fd, const struct iovec *list, int count, off_t at), fd, list, count, at)
ON_FD(ssize_t, pwritev64, failsWrite(fd), (int fd, const struct iovec *list, int count, off64_t at), fd, list, count, at)
ON_FD(int, ftruncate, failsFd("truncate", fd), (int fd, off_t size), fd, size)
ON_FD(int, ftruncate64, failsFd("truncate", fd), (int fd, off64_t size), fd, size)

/* A full disk also reports no free space. */
int statfs64(const char *path, struct statfs64 *status) {
  REAL(statfs64);
  int result = real(path, status);
  int isFull = control != NULL && control->mode == FROM && control->error == ENOSPC;
  if (isFull && control->hits > 0) status->f_bavail = 0;
  return result;
}

#define SYNC(name) \
  int name(int fd) { \
    REAL(name); \
    if (failsFd("sync", fd)) return -1; \
    return isLie() ? 0 : real(fd); \
  }
SYNC(fsync)
SYNC(fdatasync)
