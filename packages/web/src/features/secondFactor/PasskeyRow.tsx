import type { SecondFactorState } from '@privity/contract/secondFactor'
import { formatDate } from '../../i18n/dateTime.ts'
import { Button } from '../../ui/button/Button.tsx'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { secondFactorTexts } from './texts.ts'

interface PasskeyRowProps {
  passkey: SecondFactorState['passkeys'][number]
  /** The last factor cannot be removed while the organization requires one. */
  stays: boolean
  onRemove: () => void
}

export function PasskeyRow({ passkey, stays, onRemove }: PasskeyRowProps) {
  const texts = secondFactorTexts.passkeys
  const { name, createdAt, lastUsedAt, usable } = passkey
  const facts = [
    texts.added(formatDate(createdAt)),
    lastUsedAt === null ? texts.unused : texts.used(formatDate(lastUsedAt)),
    ...(usable ? [] : [texts.elsewhere]),
  ]
  return (
    <li>
      <SettingRow
        label={name}
        hint={facts.join(' · ')}
        control={
          !stays && (
            <Button size="sm" aria-label={texts.removeNamed(name)} onClick={onRemove}>
              {texts.remove}
            </Button>
          )
        }
      />
    </li>
  )
}
