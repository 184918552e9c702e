/** What is named in snake_case, to be read: `user_role_changed` as "User role changed". */
export function snakeWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
