# listen.py KIND ADDR : answers every client with $TOKEN. kinds: unix dgram seq abstract abdgram tcp udp tcp6 scm
import socket,sys,os,array
k,a=sys.argv[1:3]; t=os.environ['TOKEN'].encode()
if os.fork(): 
    import time; time.sleep(0.4); os._exit(0)
os.setsid()
n=os.open('/dev/null',os.O_RDWR)
for i in (0,1,2): os.dup2(n,i)
if k in('unix','scm','seq','dgram'):
    s=socket.socket(socket.AF_UNIX,{'dgram':socket.SOCK_DGRAM,'seq':socket.SOCK_SEQPACKET}.get(k,socket.SOCK_STREAM)); os.makedirs(os.path.dirname(a),exist_ok=True); s.bind(a)
elif k in('abstract','abdgram'):
    s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM if k=='abdgram' else socket.SOCK_STREAM); s.bind('\0'+a)
elif k=='tcp6': s=socket.socket(socket.AF_INET6); s.bind(('::1',0))
elif k=='udp': s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind(('127.0.0.1',0))
else: s=socket.socket(); s.bind(('127.0.0.1',0))
if k in('tcp','tcp6','udp'): open(a,'w').write(str(s.getsockname()[1]))
if k in('dgram','udp','abdgram'):
    while 1:
        d,p=s.recvfrom(2000); open(os.environ['WORLD']+'/got','ab').write(d)
        try: s.sendto(t,p)
        except Exception: pass
s.listen(8)
while 1:
    c,_=s.accept(); open(os.environ['WORLD']+'/got','ab').write(b'conn')
    try:
        if k=='scm':
            f=os.open(os.environ['WORLD']+'/outside',os.O_RDONLY); socket.send_fds(c,[b'x'],[f])
        else: c.sendall(b'HTTP/1.0 200 OK\r\n\r\n'+t)
        c.close()
    except Exception: pass
