import { createParser } from './src/analyzers/parse-file.ts';
import { checkTree } from './src/diagnostics/check-tree.ts';
import { readFileSync, readdirSync, statSync } from 'node:fs';
const parser = await createParser();
const only = new Set((process.env.KINDS??'wrong-call,unresolved-name,shadowed-module,missing-entry-point,undefined-flag,import-cycle,unused-key,unresolved-import,lint').split(','));
for (const root of process.argv.slice(2)) {
  const files=new Map<string,any>(); let tp=0;
  for (const e of readdirSync(root,{recursive:true}) as string[]) {
    if(!/\.(py|md|sh|toml|txt|ya?ml|rst)$/.test(e)|| /site-packages|lib2to3\/tests\/data|bad_|badsyntax|node_modules/.test(e)) continue;
    if (process.env.SKIPTEST && /(^|\/)(test|tests|idlelib|lib2to3|turtledemo|testing)\//.test(e)) continue;
    if(!statSync(root+'/'+e).isFile()) continue;
    const text=readFileSync(root+'/'+e,'utf8'); if (text.length>150000) continue; const t=performance.now(); files.set(e, parser.parse(e,text)); tp+=performance.now()-t;
  }
  const lint=new Map<string,any>(); const tl=performance.now(); if(process.env.LINT){ let max=0,last=performance.now(); const h=setInterval(()=>{const n=performance.now();max=Math.max(max,n-last);last=n;},5); await Promise.all([...files.values()].filter(f=>f.language==='python').map(async f=>lint.set(f.path, await parser.lint(readFileSync(root+'/'+f.path,'utf8'))))); clearInterval(h); console.log('lint',(performance.now()-tl).toFixed(0),'ms, longest gap',max.toFixed(0)); }
  const t=performance.now(); const found=checkTree({files,planned:[],commands:[],lint} as any); const tc=performance.now()-t;
  const kinds:Record<string,number>={}; for(const f of found) kinds[f.kind]=(kinds[f.kind]??0)+1;
  console.log('##',root,files.size,'files parse',tp.toFixed(0),'ms check',tc.toFixed(0),'ms',JSON.stringify(kinds), 'calls',[...files.values()].reduce((a,f)=>a+(f.code?.calls.length??0),0));
  for(const f of found) if(only.has(f.kind)) console.log(f.kind,'|',f.message);
}
