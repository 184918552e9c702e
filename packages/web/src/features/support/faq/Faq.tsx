import { useDeferredValue, useState } from 'react'
import { ChevronRight, Search } from 'lucide-react'
import { Field, Input } from '../../../ui/field/Field.tsx'
import { Section } from '../../../ui/section/Section.tsx'
import { faqTexts, type FaqEntry } from './texts.ts'
import { supportTexts } from '../texts.ts'
import './faq.css'

export function Faq() {
  const texts = supportTexts.faq
  const [text, setText] = useState('')
  const found = searchFaq(faqTexts.entries, useDeferredValue(text))
  return (
    <Section title={texts.title} lead={texts.lead}>
      <div className="faq">
        <Field label={texts.search}>
          {(control) => (
            <div className="input-wrap">
              <Search className="ic" />
              <Input {...control} type="search" value={text} onChange={(event) => setText(event.target.value)} />
            </div>
          )}
        </Field>
        <p className={found.length > 0 ? 'sr' : 'faq-none'} role="status">
          {found.length === 0 ? texts.empty : text.trim() && texts.found(found.length)}
        </p>
        {found.map(({ question, answer }) => (
          <details key={question}>
            <summary>
              <ChevronRight className="ic" />
              {question}
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}

/** Entries whose question or answer contains the text, ignoring case; all entries for a blank text. */
export function searchFaq(entries: readonly FaqEntry[], text: string): readonly FaqEntry[] {
  const wanted = text.trim().toLowerCase()
  return entries.filter(({ question, answer }) =>
    [question, answer].some((each) => each.toLowerCase().includes(wanted)),
  )
}
