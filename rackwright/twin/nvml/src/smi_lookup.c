/* Finds a field of nvidia-smi by name and prints its value. */
#include "smi_fields.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const struct field *field_named(const char *name)
{
    static const char *const aliases[][2] = {
        {"gpu_name", "name"}, {"gpu_uuid", "uuid"}, {"gpu_serial", "serial"}, {"gpu_bus_id", "pci.bus_id"},
        {"pcie.link.gen.gpucurrent", "pcie.link.gen.current"}, {"clocks_throttle_reasons.active", "clocks_event_reasons.active"},
    };
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(name, aliases[i][0]))
            name = aliases[i][1];
    for (const struct field *field = fields; field->name; field++)
        if (!strcmp(field->name, name))
            return field;
    return NULL;
}

void field_text(const struct field *field, nvmlDevice_t device, char *out, unsigned length)
{
    if (field->read(device, out, length))
        snprintf(out, length, "[N/A]");
}
