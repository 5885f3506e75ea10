//! A client that writes every byte itself.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// An answer.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }
}

/// A connection that is opened again when the server closed it.
pub struct Client {
    address: SocketAddr,
    connection: Option<BufReader<TcpStream>>,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            connection: None,
        }
    }

    pub fn get(&mut self, path: &str, key: Option<&str>) -> Answer {
        self.request("GET", path, key, &[])
    }

    pub fn post(&mut self, path: &str, key: Option<&str>, body: &str) -> Answer {
        self.request("POST", path, key, body.as_bytes())
    }

    pub fn put(&mut self, path: &str, key: &str, body: &[u8]) -> Answer {
        self.request("PUT", path, Some(key), body)
    }

    pub fn request(&mut self, method: &str, path: &str, key: Option<&str>, body: &[u8]) -> Answer {
        let mut request = head(method, path, self.address, key).into_bytes();
        request.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
        request.extend(body);
        // a connection that was kept may have been closed meanwhile
        if let Some(answer) = self
            .connection
            .is_some()
            .then(|| self.exchange(&request))
            .flatten()
        {
            return answer;
        }
        self.connection = Some(open(self.address));
        self.exchange(&request).expect("an answer")
    }

    fn exchange(&mut self, request: &[u8]) -> Option<Answer> {
        let mut connection = self.connection.take()?;
        connection.get_mut().write_all(request).ok()?;
        let answer = read_answer(&mut connection)?;
        if answer.header("connection") != Some("close") {
            self.connection = Some(connection);
        }
        Some(answer)
    }
}

/// A connection whose reads fail after ten seconds.
pub fn open(address: SocketAddr) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    stream.set_nodelay(true).unwrap();
    BufReader::new(stream)
}

/// The head of a request, up to where further headers go.
pub fn head(method: &str, path: &str, address: SocketAddr, key: Option<&str>) -> String {
    let key = key.map_or(String::new(), |key| {
        format!("Authorization: Bearer {key}\r\n")
    });
    format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{key}")
}

/// Sends bytes as they are and reads one answer, if there is one.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut connection = open(address);
    // a server that refuses early may close while we write
    let _ = connection.get_mut().write_all(bytes);
    read_answer(&mut connection)
}

/// Sends bytes, then says that no more will come.
pub fn raw_closed(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut connection = open(address);
    let _ = connection.get_mut().write_all(bytes);
    let _ = connection.get_mut().shutdown(Shutdown::Write);
    read_answer(&mut connection)
}

/// Starts a job and hands over the connection, behind the head of the answer.
pub fn start(address: SocketAddr, path: &str, key: &str, body: &str) -> BufReader<TcpStream> {
    let mut connection = open(address);
    let request = format!(
        "{}Content-Length: {}\r\n\r\n{body}",
        head("POST", path, address, Some(key)),
        body.len()
    );
    connection.get_mut().write_all(request.as_bytes()).unwrap();
    let (status, headers) = read_head(&mut connection).unwrap();
    assert_eq!(status, 200);
    assert!(
        headers.contains(&("transfer-encoding".into(), "chunked".into())),
        "{headers:?}"
    );
    connection
}

/// The next chunk of an answer; none at its end, or when the connection is closed.
pub fn chunk(connection: &mut impl BufRead) -> Option<Vec<u8>> {
    let size = usize::from_str_radix(line(connection)?.trim(), 16).ok()?;
    let mut data = vec![0; size + 2];
    connection.read_exact(&mut data).ok()?;
    data.truncate(size);
    (size > 0).then_some(data)
}

pub fn read_answer(connection: &mut impl BufRead) -> Option<Answer> {
    let (status, headers) = read_head(connection)?;
    let value = |name: &str| {
        headers
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
    };
    let mut body = Vec::new();
    if value("transfer-encoding") == Some("chunked") {
        while let Some(data) = chunk(connection) {
            body.extend(data);
        }
    } else if let Some(length) = value("content-length") {
        body = vec![0; length.parse().unwrap()];
        connection.read_exact(&mut body).ok()?;
    }
    Some(Answer {
        status,
        headers,
        body,
    })
}

fn read_head(connection: &mut impl BufRead) -> Option<(u16, Vec<(String, String)>)> {
    let status = line(connection)?.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        let line = line(connection)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Some((status, headers))
}

fn line(connection: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    (connection.read_line(&mut line).ok()? > 0).then_some(line)
}
