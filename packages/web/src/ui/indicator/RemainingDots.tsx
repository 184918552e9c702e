import './pips.css'

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
