import { copyableText } from '../../../browser/copyableText.ts'
import { digitGroups } from './safetyNumber.ts'
import { trustTexts as texts } from '../texts.ts'

export function Digits({ safetyNumber }: { safetyNumber: string }) {
  const groups = digitGroups(safetyNumber)
  return (
    <ol className="digits" aria-label={texts.title} {...copyableText}>
      {groups.map((group, i) => (
        <li key={`${i}${group}`}>
          <span className="sr">{Array.from(group).join(' ')}</span>
          <span aria-hidden="true">{group}</span>
        </li>
      ))}
    </ol>
  )
}
