/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders of results.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"

int make_folder(struct reckon *r, const char *path) {
    struct stat st;
    if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)))
        return 0;
    return reckon_error(r, path, 0, "cannot be made: %s", strerror(errno));
}

int check_folder_empty(struct reckon *r, const char *option, const char *path) {
    DIR *dir = opendir(path);
    const struct dirent *entry;
    if (!dir)
        return errno == ENOENT ? 0 : reckon_error(r, path, 0, "%s", strerror(errno));
    while ((entry = readdir(dir)) && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")))
        ;
    closedir(dir);
    if (entry)
        return reckon_error(r, path, 0, "--%s: it holds files already, and results of two tests must not mix",
                            option);
    return 0;
}
