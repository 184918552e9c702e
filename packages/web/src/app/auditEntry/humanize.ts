/** Converts snake_case for display: `user_role_changed` becomes "User role changed". */
export function humanize(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
