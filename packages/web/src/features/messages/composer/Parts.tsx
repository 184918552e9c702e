import { Info } from 'lucide-react'
import { limits } from '@privity/contract/limits'
import { messageTexts as texts } from '../texts.ts'
import { maxParts } from './splitText.ts'

/** Shown above the composer while its text is too long for one message. */
export function Parts({ count }: { count: number }) {
  return (
    <div className="alert alert-line" role="status">
      <Info className="ic" />
      <span>
        {count > maxParts
          ? texts.tooManyParts(limits.messageCharacters, maxParts)
          : texts.inParts(limits.messageCharacters, count)}
      </span>
    </div>
  )
}
