/* The readings that nvidia-smi can print: their names in --query-gpu, their place in -q, and how each is read. */
#ifndef RACKWRIGHT_TWIN_SMI_FIELDS_H
#define RACKWRIGHT_TWIN_SMI_FIELDS_H

#include "nvml.h"

struct field {
    const char *name;    /* --query-gpu name, as `nvidia-smi --help-query-gpu` lists it */
    const char *section; /* heading in -q, NULL at the top level of a GPU; "" when -q leaves it out */
    const char *label;   /* line in -q */
    const char *unit;    /* NULL when the value has none */
    nvmlReturn_t (*read)(nvmlDevice_t device, char *out, unsigned length);
};

extern const struct field fields[];

/* The field of that name (aliases included), or NULL. */
const struct field *field_named(const char *name);

/* The value as text, "[N/A]" for what the device does not support. */
void field_text(const struct field *field, nvmlDevice_t device, char *out, unsigned length);

#endif
