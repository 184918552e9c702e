export const legalTexts = {
  legal: 'Legal',
  terms: 'Terms',
  privacy: 'Privacy',
  threatModel: 'Threat model',
  /** Where the document is in another language than the interface. */
  inEnglish: '',
}
