#ifndef NCCL_H_
#define NCCL_H_
#define NCCL_MAJOR @nccl_major@
#define NCCL_MINOR @nccl_minor@
#define NCCL_PATCH @nccl_patch@
#define NCCL_SUFFIX ""
#define NCCL_VERSION(X, Y, Z) ((X) * 10000 + (Y) * 100 + (Z))
#define NCCL_VERSION_CODE NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH)
typedef enum { ncclSuccess = 0, ncclInvalidArgument = 4 } ncclResult_t;
ncclResult_t ncclGetVersion(int *version);
#endif
