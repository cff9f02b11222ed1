# An interpreter that starts other programs and itself.
import subprocess
import sys
import time

begun = time.monotonic()
print(subprocess.run(["echo", "hello"], capture_output=True, text=True))
print(subprocess.run("exit 3", shell=True).returncode)
other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for word in ["one", "two"]:
    time.sleep(0.25)
    other.stdin.write(word + "\n")
    other.stdin.flush()
    print(other.stdout.readline().strip(), other.poll())
print(other.communicate(timeout=1), other.returncode)
sleeper = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
try:
    sleeper.wait(timeout=2)
except subprocess.TimeoutExpired:
    print("waited")
sleeper.kill()
print(sleeper.wait())
code = "import time; time.sleep(0.01); print(time.time() > 1_750_000_000)"
print(subprocess.check_output([sys.executable, "-c", code], text=True).strip())
try:
    subprocess.run(["no-such-program"])
except FileNotFoundError as error:
    print(error)
print(f"{time.monotonic() - begun:.3f}")

# Helpers that wait for one of several files, each in its own way.
ways = {
    "poll": "p = select.poll(); p.register(0, select.POLLIN); p.poll()",
    "select": "select.select([0], [], [])",
    "epoll": "p = select.epoll(); p.register(0, select.EPOLLIN); p.poll()",
}
for way, wait in ways.items():
    code = f"import select; {wait}; print(input())"
    helper = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    time.sleep(0.5)
    print(way, helper.poll(), helper.communicate(way + " woke")[0].strip())
print(f"{time.monotonic() - begun:.3f}")
