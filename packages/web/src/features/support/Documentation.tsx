import { Link } from 'wouter'
import { Section } from '../../ui/section/Section.tsx'
import { supportTexts } from './texts.ts'
import './support.css'

export function Documentation() {
  const texts = supportTexts.docs
  return (
    <Section title={texts.title} lead={texts.lead}>
      <ul className="support-docs">
        {texts.links.map(({ href, label, text }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
            <span className="hint">{text}</span>
          </li>
        ))}
        <li>
          <a href={texts.api.href}>{texts.api.label}</a>
          <span className="hint">{texts.api.text}</span>
        </li>
      </ul>
    </Section>
  )
}
