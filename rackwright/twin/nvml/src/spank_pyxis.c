/* spank_pyxis.so: the options of pyxis in srun, sbatch and salloc, which the Slurm of this machine really loads. No image is ever run on a twin:
 * a step that asks for one ends as it does when enroot cannot import the image.
 *
 * Source: NVIDIA/pyxis, args.c, config.c, pyxis_srun.c, pyxis_slurmstepd.c and pyxis_dispatch.c (v0.24.0); the interface: SchedMD/slurm, slurm/spank.h, and
 * src/common/plugin.c, which asks a plugin for the release that it was built for (slurm-22-05-8-1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct spank_handle *spank_t;

struct spank_option {
    char *name;
    char *arginfo;
    char *usage;
    int has_arg;
    int val;
    int (*cb)(int val, const char *optarg, int remote);
};

extern int spank_option_register(spank_t spank, struct spank_option *option);
extern void slurm_error(const char *format, ...);

const char plugin_name[] = "pyxis";
const char plugin_type[] = "spank";
const unsigned int plugin_version = SLURM_VERSION_NUMBER;
const unsigned int spank_plugin_version = 1;

static char image[4096];

static int take_image(int val, const char *argument, int remote)
{
    (void)val, (void)remote;
    if (!argument || !*argument) {
        slurm_error("pyxis: --container-image: argument required");
        return -1;
    }
    snprintf(image, sizeof image, "%s", argument);
    return 0;
}

static int take(int val, const char *argument, int remote)
{
    (void)val, (void)argument, (void)remote;
    return 0;
}

static struct spank_option options[] = {
    {"container-image", "[USER@][REGISTRY#]IMAGE[:TAG]|PATH",
     "[pyxis] the image to use for the container filesystem. Can be either a docker image given as an enroot URI, or a path to a squashfs file on the "
     "remote host filesystem.", 1, 0, take_image},
    {"container-mounts", "SRC:DST[:FLAGS][,SRC:DST...]",
     "[pyxis] bind mount[s] inside the container. Mount flags are separated with \"+\", e.g. \"ro+rprivate\"", 1, 0, take},
    {"container-workdir", "PATH", "[pyxis] working directory inside the container", 1, 0, take},
    {"container-name", "NAME", "[pyxis] name to use for saving and loading the container on the host.", 1, 0, take},
    {"container-save", "PATH", "[pyxis] Save the container state to a squashfs file on the remote host filesystem.", 1, 0, take},
    {"container-mount-home", NULL, "[pyxis] bind mount the user's home directory.", 0, 1, take},
    {"no-container-mount-home", NULL, "[pyxis] do not bind mount the user's home directory", 0, 0, take},
    {"container-remap-root", NULL, "[pyxis] ask to be remapped to root inside the container.", 0, 1, take},
    {"no-container-remap-root", NULL, "[pyxis] do not remap to root inside the container", 0, 0, take},
    {"container-entrypoint", NULL, "[pyxis] execute the entrypoint from the container image", 0, 1, take},
    {"no-container-entrypoint", NULL, "[pyxis] do not execute the entrypoint from the container image", 0, 0, take},
    {"container-entrypoint-log", NULL, "[pyxis] print the output of the entrypoint script", 0, 1, take},
    {"container-writable", NULL, "[pyxis] make the container filesystem writable", 0, 1, take},
    {"container-readonly", NULL, "[pyxis] make the container filesystem read-only", 0, 0, take},
    {"container-env", "NAME[,NAME...]", "[pyxis] names of environment variables to override with the host environment and set at the entrypoint.", 1, 0, take},
    {"container-unshare", "NS[,NS...]", "[pyxis] create new namespaces for the container. Supported: net, ipc, uts.", 1, 1, take},
    {NULL, NULL, NULL, 0, 0, NULL},
};

/* A line of plugstack.conf with a setting that pyxis does not have keeps every command of Slurm from starting. */
static int known(const char *setting)
{
    static const char *keys[] = {"runtime_path=", "execute_entrypoint=", "container_scope=", "sbatch_support=", "use_enroot_load=", "importer=", "use_squashfuse="};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strncmp(setting, keys[i], strlen(keys[i])))
            return 1;
    slurm_error("pyxis: unknown configuration option: %s", setting);
    return 0;
}

int slurm_spank_init(spank_t spank, int count, char **settings)
{
    for (int i = 0; i < count; i++)
        if (!known(settings[i])) {
            slurm_error("pyxis: failed to parse configuration");
            return -1;
        }
    for (struct spank_option *option = options; option->name; option++)
        if (spank_option_register(spank, option)) {
            slurm_error("pyxis: couldn't register option %s", option->name);
            return -1;
        }
    return 0;
}

int slurm_spank_user_init(spank_t spank, int count, char **settings)
{
    (void)spank, (void)count, (void)settings;
    if (!image[0])
        return 0;
    slurm_error("pyxis: failed to import docker image: %s", image);
    return -1;
}
