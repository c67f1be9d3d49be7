/** Commands that stand for characters in text. */
export const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '%': '%',
    '&': '&',
    _: '_',
    '#': '#',
    $: '\\$',
    '{': '{',
    '}': '}',
    ' ': ' ',
    ',': ' ',
    ';': ' ',
    ':': ' ',
    '!': '',
    '/': '',
    '-': '',
    '\\': ' ',
    '\n': ' ',
    '@': '',
    '(': '',
    ')': '',
    newline: ' ',
    linebreak: ' ',
    ldots: '…',
    dots: '…',
    textellipsis: '…',
    textbackslash: '\\',
    textasciitilde: '~',
    textasciicircum: '^',
    textless: '<',
    textgreater: '>',
    textbar: '|',
    textunderscore: '_',
    textendash: '–',
    textemdash: '—',
    textquoteleft: '‘',
    textquoteright: '’',
    textquotedblleft: '“',
    textquotedblright: '”',
    textdegree: '°',
    textregistered: '®',
    texttrademark: '™',
    copyright: '©',
    S: '§',
    P: '¶',
    dag: '†',
    ddag: '‡',
    pounds: '£',
    euro: '€',
    textbullet: '•',
    textperiodcentered: '·',
    ss: 'ß',
    ae: 'æ',
    AE: 'Æ',
    oe: 'œ',
    OE: 'Œ',
    o: 'ø',
    O: 'Ø',
    aa: 'å',
    AA: 'Å',
    l: 'ł',
    L: 'Ł',
    i: 'i',
    j: 'j',
    LaTeX: 'LaTeX',
    TeX: 'TeX',
    BibTeX: 'BibTeX',
    quad: ' ',
    qquad: ' ',
    enspace: ' ',
    space: ' ',
    xspace: '',
    slash: '/',
    par: ' ',
    checkmark: '✓',
    cmark: '✓',
    xmark: '✗',
    today: '',
    eg: 'e.g.',
    ie: 'i.e.',
    etal: 'et al.',
    textmu: 'µ',
    times: '×',
    to: '→',
    pm: '±',
    rightarrow: '→',
    uparrow: '↑',
    downarrow: '↓',
    leq: '≤',
    geq: '≥',
    sim: '~',
    star: '⋆',
    bullet: '•',
  }),
);

/** Combining characters by accent command. */
export const ACCENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": '\u0301',
    '`': '\u0300',
    '^': '\u0302',
    '"': '\u0308',
    '~': '\u0303',
    '=': '\u0304',
    '.': '\u0307',
    c: '\u0327',
    v: '\u030c',
    u: '\u0306',
    H: '\u030b',
    r: '\u030a',
    k: '\u0328',
    d: '\u0323',
    b: '\u0331',
  }),
);

/** What stands around the argument of a command, or around the rest of a group after a switch. */
export const STYLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    textbf: '**',
    bf: '**',
    bfseries: '**',
    emph: '*',
    em: '*',
    textit: '*',
    it: '*',
    itshape: '*',
    textsl: '*',
    sl: '*',
    texttt: '`',
    tt: '`',
    ttfamily: '`',
    code: '`',
  }),
);

/** Commands without meaning for the text, and how many arguments go with them. Options always go too. */
export const DROPPED: ReadonlyMap<string, number> = new Map([
  ...words(
    0,
    `maketitle centering raggedright raggedleft noindent indent clearpage newpage cleardoublepage pagebreak
    tableofcontents listoffigures listoftables bigskip medskip smallskip vfill hfill hline toprule midrule
    bottomrule tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge rmfamily sffamily
    upshape mdseries normalfont selectfont scshape sc rm sf protect relax makeatletter makeatother frontmatter
    mainmatter backmatter sloppy fussy displaystyle textstyle footnotemark balance appendixpage printbibliography
    onecolumn twocolumn doublespacing singlespacing leavevmode null strut allowbreak nobreak break qed qedhere
    printAffiliationsAndNotice ifpdf else fi endgroup begingroup unskip ignorespaces boldmath unboldmath
    nopagebreak maketitlesupplementary iclrfinalcopy iffalse iftrue arraybackslash listofalgorithms
    @ifnextchar bgroup egroup FloatBarrier flushbottom raggedbottom`,
  ),
  ...words(
    1,
    `vspace vspace* hspace hspace* vskip pagestyle thispagestyle usepackage RequirePackage documentclass
    bibliographystyle color thanks date author affil affiliation institute address email keywords
    hypersetup captionsetup graphicspath usetikzlibrary index phantom hphantom vphantom nocite marginpar
    todo orcid pagenumbering urlstyle input@path allowdisplaybreaks stepcounter refstepcounter value
    icmlauthor icmlaffiliation icmlsetsymbol icmlkeywords icmlcorrespondingauthor rowcolor cellcolor
    columncolor hypertarget SetWatermarkText SetWatermarkScale enlargethispage arrayrulecolor
    cline morecmidrules specialrule addlinespace pdfbookmark numberwithin theoremstyle
     newif newlength newcounter newtoks usepackage* setlist acrodef authorrunning titlerunning
    subjclass thanksref shorttitle shortauthors ccsdesc received acmConference acmYear acmDOI setcopyright`,
  ),
  ...words(
    2,
    `setlength addtolength setcounter addtocounter fontsize setlist newacronym titleformat
    addcontentsline markboth  providecolor@  acro  vskip@`,
  ),
  ...words(3, 'definecolor newenvironment renewenvironment titlespacing  NewDocumentCommand'),
]);

/** Commands that only style their last argument: how many arguments stand before it. */
export const TRANSPARENT: ReadonlyMap<string, number> = new Map([
  ...words(
    1,
    'textcolor scalebox rotatebox parbox raisebox colorbox hyperlink foreignlanguage adjustbox',
  ),
  ...words(2, 'resizebox resizebox* fcolorbox multirow'),
  ...words(0, 'makebox framebox'),
]);

/** Arguments that stand behind `\begin{…}` before the content; options go too. */
export const ENVIRONMENT_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ...words(1, 'minipage subfigure subtable multicols adjustbox SCfigure spacing  adjustwidth@'),
  ...words(2, 'wrapfigure wraptable adjustwidth'),
  ...words(
    0,
    'figure table sidewaystable sidewaysfigure algorithm itemize enumerate description center',
  ),
]);

function words(count: number, names: string): [string, number][] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, count]);
}
