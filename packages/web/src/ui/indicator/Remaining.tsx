import './remaining.css'

const circumference = 31.4

/** A ring that empties; `left` is the remaining fraction, 0 to 1. */
export function ExpiryRing({ left }: { left: number }) {
  const part = Math.min(1, Math.max(0, left)) * circumference
  return (
    <svg className="ring-t" viewBox="0 0 13 13" aria-hidden="true">
      <circle cx="6.5" cy="6.5" r="5" />
      <circle cx="6.5" cy="6.5" r="5" strokeDasharray={`${part.toFixed(1)} ${circumference}`} />
    </svg>
  )
}

/** Shows the remaining number as small squares, hidden from screen readers: render the number as text beside them. */
export function RemainingDots({ left, of }: { left: number; of: number }) {
  return (
    <span className="pips" aria-hidden="true">
      {Array.from({ length: of }, (_, place) => (
        <i key={place} className={place < left ? 'on' : undefined} />
      ))}
    </span>
  )
}
