import './pips.css'

/** How many of a few are left, as small squares; say the number in words beside them. */
export function Pips({ left, of }: { left: number; of: number }) {
  return (
    <span className="pips" aria-hidden="true">
      {Array.from({ length: of }, (_, place) => (
        <i key={place} className={place < left ? 'on' : undefined} />
      ))}
    </span>
  )
}
