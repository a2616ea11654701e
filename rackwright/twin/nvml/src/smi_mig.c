#include "smi_mig.h"

#include "twin_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULE "+-------------------------------------------------------+\n"

/* Numbers of GPU instance profiles by slices (nvml.h and the MIG user guide); whole numbers of slices have no other here. */
static unsigned profile_id(const char *name)
{
    switch (strtoul(name, NULL, 10)) {
    case 7: return 0;
    case 4: return 5;
    case 3: return 9;
    case 2: return 14;
    default: return 19;
    }
}

int mig_instances(void)
{
    char path[4096], line[128], name[64];
    unsigned gpu, last = ~0u, instance = 0, start = 0, count = 0, width;
    twin_path(TWIN_MIG, path, sizeof path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%u %63s", &gpu, name) != 2 || !strcmp(name, "enabled"))
            continue;
        if (!count++)
            printf(RULE "| GPU instances:                                        |\n"
                        "| GPU   Name             Profile  Instance   Placement  |\n"
                        "|                          ID       ID       Start:Size |\n"
                        "|=======================================================|\n");
        if (gpu != last)
            instance = start = 0;
        last = gpu;
        width = (unsigned)strtoul(name, NULL, 10);
        printf("| %3u  MIG %-14s %4u     %4u      %5u:%-4u |\n" RULE, gpu, name, profile_id(name), ++instance, start, width);
        start += width;
    }
    if (file)
        fclose(file);
    if (!count)
        printf("No GPU instances found: Not Found\n");
    return count ? 0 : 6;
}
