/** Limits of the founder's monitoring; times in milliseconds. */
export const monitoringLimits = {
  poll: 5_000,
  ratePoll: 10_000,
  /** Numbers older than this are shown as such. */
  stale: 15_000,
  activeWindow: 15 * 60 * 1000,
  countedWindow: 24 * 60 * 60 * 1000,
  recentEvents: 10,
  /** Minutes that the series of messages covers. */
  rateMinutes: 60,
  /** From here on the event loop's delay (99th percentile) is a warning. */
  loopDelay: 200,
  /** Below this share of the disk, free space is a warning. */
  freeDisk: 0.1,
} as const
