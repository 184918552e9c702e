import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { classes } from '../../../ui/classes.ts'
import { Cut } from '../../../ui/cut/Cut.tsx'
import { cutShapes } from '../../../ui/cut/cutGeometry.ts'
import './safetyNumber.css'
import './safetyState.css'

interface Half {
  firstName: string
  lastName: string
  note: string
}

/** The two participants as halves along the cut of their safety number; joined once verified. */
export function Halves({ digits, own, other, closed }: { digits: string; own: Half; other: Half; closed: boolean }) {
  const cut = <Cut className="cutfill" digits={digits} shape={cutShapes.safety} length={720} depth={22} />
  return (
    <div className={classes('halves open', closed && 'closed')}>
      <div className="half half-a">
        <Person {...own} />
        {cut}
      </div>
      <div className="half half-b">
        {cut}
        <div className="body">
          <Person {...other} />
        </div>
      </div>
    </div>
  )
}

function Person({ firstName, lastName, note }: Half) {
  return (
    <>
      <Avatar firstName={firstName} lastName={lastName} />
      <div>
        <b dir="auto">{`${firstName} ${lastName}`}</b>
        <span className="sub">{note}</span>
      </div>
    </>
  )
}
