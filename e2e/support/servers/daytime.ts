/**
 * A time zone in which it is about noon now. The server's detection rules treat activity at local night as unusual, and
 * journeys run at any hour.
 */
export function daytimeZone(): string {
  const hours = 12 - new Date().getUTCHours()
  // POSIX counts offsets westwards.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
