/* libnccl.so.2: its version, which is what onboarding and acceptance ask of an installed NCCL. */
int ncclGetVersion(int *version)
{
    enum { ncclSuccess = 0, ncclInvalidArgument = 4 };
    if (!version)
        return ncclInvalidArgument;
    *version = NCCL_VERSION_CODE; /* 10000 * major + 100 * minor + patch, as nccl.h defines it */
    return ncclSuccess;
}
