import './expiryRing.css'

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
