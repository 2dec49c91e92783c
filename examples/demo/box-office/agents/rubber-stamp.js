// A reviewer as nobody should have one: it reads nothing and says yes.
process.stdin.resume();
process.stdin.on('end', () => {
  console.log('Looks good to me, great work!\n\n**Verdict: APPROVED**');
});
