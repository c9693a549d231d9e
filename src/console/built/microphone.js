/*!
The scripts and styles of this page contain:
preact 11.2.0, Copyright (c) 2015-present Jason Miller
uPlot 1.6.32, Copyright (c) 2022 Leon Sorokin

The MIT License. Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
function a(n){let t=new Uint8Array(n.length*2),o=new DataView(t.buffer);return n.forEach((r,s)=>{let e=Math.max(-1,Math.min(1,r)),i=e<0?e*32768:e*32767;o.setInt16(s*2,Math.round(i),!0)}),t}var c=class{#e;#o=0;#t=0;constructor(t){this.#e=t.from/t.to}push(t){let o=new Float32Array(Math.ceil((t.length+this.#t)/this.#e)),r=0;for(let s of t){let e=1;for(;this.#t+e>=this.#e;){let i=this.#e-this.#t;o[r++]=(this.#o+s*i)/this.#e,e-=i,this.#o=0,this.#t=0}this.#o+=s*e,this.#t+=e}return o.slice(0,r)}};var f=24e3/10,h=class extends AudioWorkletProcessor{#e=new c({from:sampleRate,to:24e3});#o=new Float32Array(f);#t=0;process(t){let[o]=t[0]??[];for(let r of o===void 0?[]:this.#e.push(o))this.#o[this.#t++]=r,this.#t===f&&this.#r();return!0}#r(){let{buffer:t}=a(this.#o);this.#t=0,this.port.postMessage(t,[t])}};registerProcessor("microphone",h);
