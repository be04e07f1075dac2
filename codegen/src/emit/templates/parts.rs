//! Parts, taken in without a copy.
//!
//! The engine gives a part a copy of the value it is about, and what the part then looks up in that copy is copied once
//! more: most of the time of a compile went there. So each `{{> part}}` of a template becomes, once it is read, a call of
//! a helper that lets the part look into the model itself. A part that is to be indented is left to the engine, which
//! knows how; so is one with a block.

use std::mem;

use handlebars::template::{HelperTemplate, Parameter, Subexpression, TemplateElement};
use handlebars::{
    BlockContext, BlockParamHolder, Context, Handlebars, Helper, HelperResult, Output, RenderContext,
    RenderErrorReason, Renderable, Template,
};
use serde_json::Value;

/// The helper's name, which no template can write.
pub(super) const NAME: &str = "> part";

/// Lets every part of a template, at any depth, be taken in by the helper.
pub(super) fn prepare(template: &mut Template) {
    let mut inline = false;
    for element in &mut template.elements {
        if let Some(call) = call(element, inline) {
            *element = call;
        }
        match element {
            TemplateElement::HelperBlock(block) => prepare_block(block),
            TemplateElement::DecoratorBlock(block) | TemplateElement::PartialBlock(block) => {
                block.template.iter_mut().for_each(prepare);
            }
            _ => {}
        }
        inline = match element {
            TemplateElement::RawString(text) => {
                !text.trim_end_matches([' ', '\t']).is_empty()
                    && !text.trim_end_matches([' ', '\t']).ends_with('\n')
            }
            _ => true,
        };
    }
}

fn prepare_block(block: &mut HelperTemplate) {
    block.template.iter_mut().for_each(prepare);
    block.inverse.iter_mut().for_each(prepare);
}

/// The call that takes the part in, where this is a part that the helper can take in. `inline`: something else stands
/// before it on its line, so that the blanks before it are no indentation.
fn call(element: &mut TemplateElement, inline: bool) -> Option<TemplateElement> {
    let TemplateElement::PartialExpression(part) = element else { return None };
    if part.template.is_some() || (part.indent.is_some() && !inline) {
        return None;
    }
    let name = part.name.as_name()?.to_owned();
    // A block given to a part is written by a name of the engine's own.
    if name.starts_with('@') {
        return None;
    }
    let mut params = vec![Parameter::Literal(Value::String(name))];
    params.append(&mut part.params);
    let name = Parameter::Name(NAME.to_owned());
    Some(*Subexpression::new(name, params, mem::take(&mut part.hash)).element)
}

/// Fills a part: the first argument names it, the second is what it is about, if that is not what is looked at already;
/// those by name are the part's own.
pub(super) fn take_in<'reg, 'rc>(
    helper: &Helper<'rc>,
    engine: &'reg Handlebars<'reg>,
    context: &'rc Context,
    render: &mut RenderContext<'reg, 'rc>,
    out: &mut dyn Output,
) -> HelperResult {
    let name = helper.param(0).and_then(|name| name.value().as_str()).unwrap_or_default();
    if render.is_current_template(name) {
        return Err(RenderErrorReason::CannotIncludeSelf.into());
    }
    let part = render.get_partial(name).or_else(|| engine.get_template(name));
    let part = part.ok_or_else(|| RenderErrorReason::PartialNotFound(name.to_owned()))?;
    let mut block = BlockContext::new();
    match helper.param(1) {
        Some(about) => match about.context_path() {
            Some(path) => block.base_path_mut().clone_from(path),
            None => block.set_base_value(about.value().clone()),
        },
        None => {
            if let Some(around) = render.block() {
                match around.base_value() {
                    Some(value) => block.set_base_value(value.clone()),
                    None => block.base_path_mut().clone_from(around.base_path()),
                }
            }
        }
    }
    if let Some(around) = render.block() {
        block.local_variables_mut().clone_from(around.local_variables());
    }
    for (key, value) in helper.hash() {
        block.set_block_param(key, BlockParamHolder::Value(value.value().clone()));
    }
    let within = render.get_current_template_name();
    render.push_block(block);
    let done = part.render(engine, context, render, out);
    render.pop_block();
    render.set_current_template_name(within);
    done
}
