/**
 * A time zone in which it is about noon now. To the detection rules of a server what happens at night where it stands
 * is unusual, and journeys are run at any hour.
 */
export function daytimeZone(): string {
  const hours = 12 - new Date().getUTCHours()
  // POSIX counts westwards.
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
