const two = (value: number) => String(value).padStart(2, '0')

/** HH:mm in the reader's time zone; `ms` is Unix time. */
export function clockTime(ms: number): string {
  const date = new Date(ms)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** HH:mm:ss in the reader's time zone. */
export const clockSeconds = (ms: number): string => `${clockTime(ms)}:${two(new Date(ms).getSeconds())}`
