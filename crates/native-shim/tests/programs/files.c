// What a program finds out about its files: nothing that differs from run to run.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char *name) {
    int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    dprintf(file, "%s\n", name);
    close(file);
}

static void list(DIR *folder) {
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat found;
        if (entry->d_name[0] == '.')
            continue;
        fstatat(dirfd(folder), entry->d_name, &found, 0);
        printf(" %s=%lu%s", entry->d_name, found.st_ino, found.st_ino == entry->d_ino ? "" : " (another)");
    }
    printf("\n");
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IONBF, 0);
    mkdir("many", 0755);
    chdir("many");
    const char *names[] = {"zebra", "beta", "alpha", "Omega", "delta10", "delta9"};
    for (int place = 0; place < 6; place++)
        make(names[place]);

    struct stat by_name, by_number, machine;
    int file = open("beta", O_RDONLY);
    stat("beta", &by_name);
    fstat(file, &by_number);
    printf("beta %ld.%09ld %ld.%09ld same %d size %ld\n", by_name.st_mtim.tv_sec, by_name.st_mtim.tv_nsec,
           by_name.st_ctim.tv_sec, by_name.st_atim.tv_nsec, by_name.st_ino == by_number.st_ino, by_name.st_size);
    printf("synced %d %d %d", fsync(file), fdatasync(file), syncfs(file));
    int pipes[2];
    pipe(pipes);
    printf(" closed %d", fsync(99) == -1 && errno == EBADF);
    printf(" pipe %d\n", fsync(pipes[1]) == -1 && errno == EINVAL);
    struct statx more;
    statx(AT_FDCWD, "beta", 0, STATX_ALL, &more);
    printf("statx %lld.%09u same %d size %llu born %d\n", more.stx_mtime.tv_sec, more.stx_mtime.tv_nsec,
           more.stx_ino == by_name.st_ino, more.stx_size, (more.stx_mask & STATX_BTIME) != 0);
    statx(file, "", AT_EMPTY_PATH, STATX_ALL, &more);
    printf("statx of the descriptor same %d regular %d\n", more.stx_ino == by_name.st_ino, S_ISREG(more.stx_mode));
    printf("no such file %d\n", statx(AT_FDCWD, "gamma", 0, STATX_ALL, &more));
    close(file);

    // A file that is older than the run is as old as it is.
    stat(arguments[count - 1], &machine);
    printf("older %ld\n", machine.st_mtim.tv_sec);

    DIR *folder = opendir(".");
    printf("listed");
    list(folder);
    rewinddir(folder);
    unlink("delta9");
    printf("again");
    list(folder);
    rewinddir(folder);
    long place = 0;
    for (struct dirent *entry; (entry = readdir(folder)) && strcmp(entry->d_name, "alpha");)
        place = telldir(folder);
    seekdir(folder, place);
    printf("from alpha on");
    list(folder);
    closedir(folder);
    return 0;
}
