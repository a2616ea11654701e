/* nvidia-smi mig: the instances of every GPU. */
#ifndef RACKWRIGHT_TWIN_SMI_MIG_H
#define RACKWRIGHT_TWIN_SMI_MIG_H

/* Prints the table of `nvidia-smi mig -lgi`. Returns the exit status: 6 where no GPU is partitioned, as the real one. */
int mig_instances(void);

#endif
