//! Reads one call of a model's and looks at what it asks for.

use handset_spec::phone::{self, Request};

fn main() {
    phone::read(br#"{"action": "alarm", "time": "07:30", "days": ["mon"]}"#, |call| match call {
        Ok(call) => match &call.request {
            Request::Alarm(alarm) => {
                println!("{} at {}:{:02}", call.summary, alarm.time.hour, alarm.time.minute);
            }
            _ => println!("{}", call.to_json()),
        },
        Err(refusal) => println!("{refusal}"),
    });
}
