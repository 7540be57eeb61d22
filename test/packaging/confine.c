/*
 * Runs a program under the filters of the unit file's SystemCallFilter= and RestrictAddressFamilies=, like
 * systemd, where systemd is not the init process: confine PROGRAM ARGUMENT…. confine.ts writes calls.h and
 * families.h. A forbidden call kills the process (SIGSYS), as the filter does without SystemCallErrorNumber=,
 * so that no missing call goes unnoticed.
 */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const unsigned CALLS[] = {
#include "calls.h"
};
static const unsigned FAMILIES[] = {
#include "families.h"
};

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "another machine"
#endif

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define LOAD(member) \
  (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define END(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)
/* Skips the next `skipped` instructions if the loaded value differs. */
#define UNLESS(value, skipped) \
  (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)

int main(int count, char **arguments) {
  static struct sock_filter lines[8 + 2 * COUNT(CALLS) + 2 * COUNT(FAMILIES)];
  unsigned short at = 0;
  if (count < 2) return 2;

  lines[at++] = LOAD(arch);
  lines[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
  lines[at++] = END(SECCOMP_RET_KILL_PROCESS);
  lines[at++] = LOAD(nr);
  lines[at++] = UNLESS(SYS_socket, 2 + 2 * COUNT(FAMILIES));
  lines[at++] = LOAD(args[0]);
  for (size_t index = 0; index < COUNT(FAMILIES); index++) {
    lines[at++] = UNLESS(FAMILIES[index], 1);
    lines[at++] = END(SECCOMP_RET_ALLOW);
  }
  lines[at++] = END(SECCOMP_RET_ERRNO | EAFNOSUPPORT);
  for (size_t index = 0; index < COUNT(CALLS); index++) {
    lines[at++] = UNLESS(CALLS[index], 1);
    lines[at++] = END(SECCOMP_RET_ALLOW);
  }
  lines[at++] = END(SECCOMP_RET_KILL_PROCESS);

  struct sock_fprog program = {.len = at, .filter = lines};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    return 126;
  }
  execv(arguments[1], arguments + 1);
  perror(arguments[1]);
  return 127;
}
