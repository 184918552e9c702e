export const registryTimes = { beat: 2_000, gone: 10_000 }
