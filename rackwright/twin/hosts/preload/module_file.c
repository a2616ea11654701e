/* Reads a module file as modulefile.py writes it: its name and facts, and whether a trusted key signed it. */
#define _GNU_SOURCE
#include "module.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

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

int trusted(const char *content, size_t size)
{
    size_t magic = strlen(MAGIC), key, seal;
    const unsigned char *trailer;
    char fingerprint[128] = "", line[512];
    int match = 0;
    FILE *keys = fopen(TRUSTED, "re");
    if (!keys)
        return 1;
    if (size > magic + TRAILER && !memcmp(content + size - magic, MAGIC, magic)) {
        trailer = (const unsigned char *)content + size - magic - TRAILER;
        key = trailer[4];
        seal = trailer[11];
        for (size_t i = 0; i < key && i < sizeof fingerprint / 2 - 1; i++)
            sprintf(fingerprint + 2 * i, "%02x", *(trailer - seal - key + i));
        while (*fingerprint && !match && fgets(line, sizeof line, keys))
            match = !strncmp(line, fingerprint, strlen(fingerprint));
    }
    fclose(keys);
    return match;
}
