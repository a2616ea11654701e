/* nvidia-smi: the table, -L, -q, mig -lgi, --version and --query-gpu=... --format=csv[,noheader][,nounits], each with -i INDEX.
 *
 * Exit codes of the real one: 0, 2 wrong usage, 6 no device found, 9 driver not loaded, 12 library missing, 18 mismatch.
 */
#include "nvml_client.h"
#include "smi_fields.h"
#include "smi_mig.h"
#include "version.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long only = -1;

static bool wanted(unsigned index) { return only < 0 || (unsigned)only == index; }

static const char *text(const char *name, unsigned index)
{
    static char values[8][128];
    static unsigned turn;
    char *out = values[turn++ % 8];
    field_text(field_named(name), client_device(index), out, sizeof values[0]);
    return out;
}

static void list(void)
{
    for (unsigned i = 0; i < client_count(); i++)
        if (wanted(i))
            printf("GPU %u: %s (UUID: %s)\n", i, text("name", i), text("uuid", i));
}

static void print_line(char left, const char *content)
{
    printf("%c%-89s%c\n", left, content, left);
}

static void table(void)
{
    char line[256];
    print_line('+', "-----------------------------------------------------------------------------------------");
    snprintf(line, sizeof line, " NVIDIA-SMI %-22s Driver Version: %-17s CUDA Version: %d.%d", driver_version,
             text("driver_version", 0), cuda_version / 1000, cuda_version % 1000 / 10);
    print_line('|', line);
    print_line('|', " GPU  Name                      Persistence-M   Bus-Id           Uncorr. ECC Fabric");
    print_line('|', "=========================================================================================");
    for (unsigned i = 0; i < client_count(); i++) {
        if (!wanted(i))
            continue;
        snprintf(line, sizeof line, " %3u  %-26.26s%-15s %-16s %-11s %s", i, text("name", i), text("persistence_mode", i),
                 text("pci.bus_id", i), text("ecc.errors.uncorrected.volatile.total", i), text("fabric.state", i));
        print_line('|', line);
        snprintf(line, sizeof line, "      %s C   %s W / %s W   %s MiB / %s MiB", text("temperature.gpu", i),
                 text("power.draw", i), text("power.limit", i), text("memory.used", i), text("memory.total", i));
        print_line('|', line);
    }
    print_line('+', "-----------------------------------------------------------------------------------------");
}

static void everything(void)
{
    printf("\n==============NVSMI LOG==============\n\n");
    printf("%-50s : %s\n", "Driver Version", text("driver_version", 0));
    printf("%-50s : %d.%d\n\n", "CUDA Version", cuda_version / 1000, cuda_version % 1000 / 10);
    printf("%-50s : %u\n", "Attached GPUs", client_count());
    for (unsigned i = 0; i < client_count(); i++) {
        if (!wanted(i))
            continue;
        printf("GPU %s\n", text("pci.bus_id", i));
        const char *section = NULL;
        for (const struct field *field = fields; field->name; field++) {
            char value[128];
            if (field->section && !*field->section)
                continue;
            if (field->section && (!section || strcmp(section, field->section)))
                printf("    %s\n", field->section);
            section = field->section;
            field_text(field, client_device(i), value, sizeof value);
            bool known = strcmp(value, "[N/A]") != 0;
            int indent = section ? 8 : 4;
            printf("%*s%-*s : %s%s%s\n", indent, "", 50 - indent, field->label, known ? value : "N/A",
                   known && field->unit && *field->unit != 'x' ? " " : "", known && field->unit ? field->unit : "");
        }
        printf("\n");
    }
}

static int query(const char *names, const char *format)
{
    const struct field *chosen[64];
    unsigned n = 0;
    char copy[2048];
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, ", "); name && n < 64; name = strtok(NULL, ", ")) {
        chosen[n] = field_named(name);
        if (!chosen[n++]) {
            printf("Field \"%s\" is not a valid field to query.\n\n", name);
            return 2;
        }
    }
    bool units = !strstr(format, "nounits");
    for (unsigned f = 0; f < n && !strstr(format, "noheader"); f++) {
        bool unit = units && chosen[f]->unit && *chosen[f]->unit != 'x' && *chosen[f]->unit != 'C';
        printf("%s%s%s%s%s", f ? ", " : "", chosen[f]->name, unit ? " [" : "", unit ? chosen[f]->unit : "", unit ? "]" : "");
    }
    if (!strstr(format, "noheader"))
        printf("\n");
    for (unsigned i = 0; i < client_count(); i++) {
        for (unsigned f = 0; f < n && wanted(i); f++) {
            const char *value = text(chosen[f]->name, i);
            bool unit = units && *value != '[' && chosen[f]->unit && *chosen[f]->unit != 'x' && *chosen[f]->unit != 'C';
            printf("%s%s%s%s", f ? ", " : "", value, unit ? " " : "", unit ? chosen[f]->unit : "");
        }
        if (wanted(i))
            printf("\n");
    }
    return 0;
}

static int refuse(nvmlReturn_t result)
{
    char version[96] = "";
    if (result == NVML_ERROR_DRIVER_NOT_LOADED)
        printf("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
               "Make sure that the latest NVIDIA driver is installed and running.\n\n");
    else if (result == NVML_ERROR_LIBRARY_NOT_FOUND)
        printf("NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display "
               "Driver is properly installed and present in your system.\n");
    else
        printf("Failed to initialize NVML: %s\n", client_error(result));
    if (result == NVML_ERROR_LIB_RM_VERSION_MISMATCH && !client_system_text("nvmlSystemGetNVMLVersion", version, sizeof version))
        printf("NVML library version: %s\n", strchr(version, '.') ? strchr(version, '.') + 1 : version);
    return result;
}

int main(int argc, char **argv)
{
    const char *names = NULL, *format = "csv";
    bool short_list = false, long_list = false, instances = false;
    for (int a = 1; a < argc; a++) {
        const char *word = argv[a];
        if (!strcmp(word, "-L") || !strcmp(word, "--list-gpus"))
            short_list = true;
        else if (!strcmp(word, "-q") || !strcmp(word, "--query"))
            long_list = true;
        else if (!strcmp(word, "mig") && a + 1 < argc && !strcmp(argv[a + 1], "-lgi"))
            instances = ++a;
        else if (!strncmp(word, "--query-gpu=", 12))
            names = word + 12;
        else if (!strncmp(word, "--format=", 9))
            format = word + 9;
        else if (!strncmp(word, "--id=", 5))
            only = strtol(word + 5, NULL, 10);
        else if ((!strcmp(word, "-i") || !strcmp(word, "-d")) && a + 1 < argc) {
            if (word[1] == 'i')
                only = strtol(argv[a + 1], NULL, 10);
            a++; /* -d narrows -q to one section; more than was asked for is no loss */
        } else if (!strcmp(word, "--version")) {
            printf("NVIDIA-SMI version  : %s\n", driver_version);
            return 0;
        } else {
            printf("Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n");
            return 2;
        }
    }
    nvmlReturn_t result = client_start();
    if (result)
        return refuse(result);
    if (client_count() == 0) {
        printf("No devices were found\n");
        return 6;
    }
    if (instances)
        return mig_instances();
    if (names)
        return query(names, format);
    short_list ? list() : long_list ? everything() : table();
    return 0;
}
