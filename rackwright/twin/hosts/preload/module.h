/* A kernel module of a twin node: its file (module_file.c) and what shows that it is loaded (module_state.c). */
#ifndef RACKWRIGHT_MODULE_H
#define RACKWRIGHT_MODULE_H

#include <stddef.h>
#include <sys/types.h>

struct module {
    const char *text; /* the strings of .modinfo, one after the other */
    size_t length, size;
    char name[64];
};

/* First line of a file into `text`; its length, -1 when it cannot be read. */
ssize_t contents(const char *path, char *text, size_t size);

/* Finds .modinfo in a module file; -1 when the file has none. */
int read_module(const char *content, size_t size, struct module *module);

/* The value of `key` in .modinfo; empty when absent. */
const char *fact(const struct module *module, const char *key);

/* The next name of a list with commas, with underscores for hyphens; NULL at its end. */
const char *next_name(const char *list, char *name, size_t size);

/* Whether a key that was trusted at boot signed the module; always without Secure Boot. */
int trusted(const char *content, size_t size);

/* Whether a module is loaded. */
int loaded(const char *module);

/* Shows the module as loaded with these options. */
int show(const struct module *module, const char *options);

/* Takes a module away; -1 with errno when it is not loaded or held by another. */
int hide(const char *module);

#endif
