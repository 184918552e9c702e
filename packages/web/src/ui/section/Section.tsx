import { type ReactNode, useId, type ComponentProps } from 'react'
import { Switch } from '../choice/Switch.tsx'
import { classes } from '../classes.ts'
import { keepRowFocus } from '../keepRowFocus.ts'
import './section.css'

interface SectionProps {
  title: string
  lead?: ReactNode
  /** Id of the heading, for links to it. */
  anchor?: string
  children: ReactNode
}

/** A section of a settings page: the heading beside its controls, or above them on narrow screens. */
export function Section({ title, lead, children, anchor }: SectionProps) {
  const own = useId()
  const id = anchor ?? own
  return (
    <section className="set-sec" aria-labelledby={id} ref={keepRowFocus} tabIndex={-1}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}

interface SettingRowProps {
  label: ReactNode
  hint?: ReactNode
  /** The control on the right that changes the setting. */
  control?: ReactNode
  /** For wide controls: below the label on phones. */
  stacked?: boolean
}

export function SettingRow({ label, hint, control, stacked }: SettingRowProps) {
  return (
    <div className={classes('set-row', stacked && 'col')}>
      <div>
        <b>{label}</b>
        {hint && <span className="d">{hint}</span>}
      </div>
      {control}
    </div>
  )
}

interface SwitchRowProps extends Omit<ComponentProps<typeof Switch>, 'describedBy'> {
  hint: ReactNode
}

/** A setting with a switch that the hint describes. */
export function SwitchRow({ hint, ...control }: SwitchRowProps) {
  const hintId = useId()
  return (
    <SettingRow
      label={control.label}
      hint={<span id={hintId}>{hint}</span>}
      control={<Switch describedBy={hintId} {...control} />}
    />
  )
}
