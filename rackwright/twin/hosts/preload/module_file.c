/* Reads a module file as modulefile.py writes it, and says why a kernel would refuse it: key, release, dependencies, hardware. */
#define _GNU_SOURCE
#include "module.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define TRUSTED "/run/rackwright-twin/trusted-keys" /* there only with Secure Boot: fingerprints of the keys known at boot */
#define MAGIC "~Module signature appended~\n"
#define TRAILER 12 /* struct module_signature of Linux */

const char *fact(const struct module *module, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = module->text; at < module->text + module->length; at += strlen(at) + 1)
        if (!strncmp(at, key, length) && at[length] == '=')
            return at + length + 1;
    return "";
}

int read_module(const char *content, size_t size, struct module *module)
{
    const Elf64_Ehdr *head = (const void *)content;
    const Elf64_Shdr *sections, *names;
    if (size < sizeof *head || memcmp(content, ELFMAG, SELFMAG) || head->e_shoff + head->e_shnum * sizeof *sections > size)
        return -1;
    sections = (const void *)(content + head->e_shoff);
    names = sections + head->e_shstrndx;
    for (int i = 0; i < head->e_shnum; i++)
        if (!strcmp(content + names->sh_offset + sections[i].sh_name, ".modinfo")) {
            module->text = content + sections[i].sh_offset;
            module->length = sections[i].sh_size;
            module->size = size;
            return next_name(fact(module, "name"), module->name, sizeof module->name) ? 0 : -1;
        }
    return -1;
}

const char *next_name(const char *list, char *name, size_t size)
{
    size_t length = strcspn(list, ",");
    if (!*list)
        return NULL;
    snprintf(name, size, "%.*s", (int)length, list);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return list + length + (list[length] == ',');
}

/* Whether a key that was known at boot signed the module. */
static int trusted(const char *content, size_t size)
{
    size_t magic = strlen(MAGIC), key, seal;
    const unsigned char *trailer;
    char wanted[128] = "", line[512];
    int found = 0;
    FILE *keys = fopen(TRUSTED, "re");
    if (!keys)
        return 1;
    if (size > magic + TRAILER && !memcmp(content + size - magic, MAGIC, magic)) {
        trailer = (const unsigned char *)content + size - magic - TRAILER;
        key = trailer[4];
        seal = trailer[11];
        for (size_t i = 0; i < key && i < sizeof wanted / 2 - 1; i++)
            sprintf(wanted + 2 * i, "%02x", *(trailer - seal - key + i));
        while (*wanted && !found && fgets(line, sizeof line, keys))
            found = !strncmp(line, wanted, strlen(wanted));
    }
    fclose(keys);
    return found;
}

int refusal(const struct module *module, const char *content)
{
    struct utsname kernel;
    const char *magic = fact(module, "vermagic");
    char one[64];
    if (!trusted(content, module->size))
        return EKEYREJECTED;
    if (uname(&kernel) || strncmp(magic, kernel.release, strlen(kernel.release)) || magic[strlen(kernel.release)] != ' ')
        return ENOEXEC;
    if (loaded(module->name))
        return EEXIST;
    for (const char *rest = fact(module, "depends"); (rest = next_name(rest, one, sizeof one));)
        if (!loaded(one))
            return ENOENT;
    if (*fact(module, "twin_needs") && access(fact(module, "twin_needs"), F_OK))
        return ENODEV;
    return *fact(module, "twin_conflicts") && loaded(fact(module, "twin_conflicts")) ? ENODEV : 0;
}
