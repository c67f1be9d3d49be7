import { loadPythonSyntax } from './src/analyzers/syntax-tree.ts';
import { readBindings } from './src/analyzers/python-bindings.ts';
import { readUndefined } from './src/analyzers/python-undefined.ts';
import { scopedNodes } from './src/analyzers/python-scopes.ts';
import { readPythonProblems } from './src/analyzers/python-problems.ts';
import { readFileSync, readdirSync } from 'node:fs';
import * as ruff from '@astral-sh/ruff-wasm-nodejs';
const R:any=(ruff as any).default ?? ruff;
const ws=new R.Workspace({lint:{select:['F821','F401']},'target-version':'py313'},2);
const parse = await loadPythonSyntax();
let n=0, t=0;
for (const root of process.argv.slice(2)) for (const e of readdirSync(root,{recursive:true}) as string[]) {
  if(!e.endsWith('.py')|| /lib2to3\/tests\/data|bad_|badsyntax/.test(e)) continue; if (process.env.SKIPTEST && /(^|\/)(test|tests|idlelib|lib2to3|turtledemo)\//.test(e)) continue;
  const text=readFileSync(root+'/'+e,'utf8'); if(text.length>150000) continue;
  const tree=parse(text); if(!tree||readPythonProblems(tree,text).length) continue;
  n++; const t0=performance.now();
  const scopes=new Map(scopedNodes(tree,text)); const b=readBindings(tree,text);
  const mine=readUndefined(b,scopes,tree,text); t+=performance.now()-t0;
  const theirs=(ws.check(text) as any[]).filter(d=>d.code==='F821').map(d=>d.start_location.row+':'+d.message.match(/`(.*)`/)?.[1]);
  const m=new Set(mine.map(x=>x.line+':'+x.name));
  for(const x of m) console.log(theirs.includes(x)?'BOTH':'MINE', e,x, text.split('\n')[Number(x.split(':')[0])-1]?.trim().slice(0,90));
  if(process.env.THEIRS) for(const x of theirs) if(!m.has(x)) console.log('RUFF',e,x, text.split('\n')[Number(x.split(':')[0])-1]?.trim().slice(0,90));
}
console.log(n,'files',t.toFixed(0),'ms');
