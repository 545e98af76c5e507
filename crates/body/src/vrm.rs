//! The complete avatar as a VRM 1.0 file.

use serde_json::{Map, Value, json};

use crate::face::{Face, MORPH_TARGETS, MorphTarget, cheeks, face};
use crate::figure::{HEAD, SkinnedMesh, figure, moon};
use crate::glb::Glb;
use crate::maths::{Point, add, subtract};
use crate::palette::{ColourSlot, Palette, linear};
use crate::skeleton::{BodySide, Bone, SCARF, SIDES, STALK};
use crate::texture::texture;

const LICENCE: &str = "https://vrm.dev/licenses/1.0/";
const OUTLINE: f32 = 0.0034;

/// Material indices.
const BODY: usize = 0;
const MOON: usize = 1;
const FACE: usize = 2;
const CHEEKS: usize = 3;

/// Returns the avatar in these colours, as a VRM file.
pub fn avatar_file(palette: &Palette) -> Vec<u8> {
    let mut glb = Glb::default();
    let bones = Bone::all();
    let mut nodes = bone_nodes(&bones);
    let meshes = [
        skinned(&mut glb, "body", &figure(), BODY),
        skinned(&mut glb, "moon", &moon(), MOON),
        drawn(&mut glb, "face", face(), FACE, &MORPH_TARGETS.map(name)),
        drawn(&mut glb, "cheeks", cheeks(), CHEEKS, &["blush".to_owned()]),
    ];
    let first = nodes.len();
    nodes.push(json!({"name": "body", "mesh": 0, "skin": 0}));
    nodes.push(json!({"name": "moon", "mesh": 1, "skin": 0}));
    nodes.push(json!({"name": "face", "mesh": 2}));
    nodes.push(json!({"name": "cheeks", "mesh": 3}));
    children(&mut nodes[0]).extend([first.into(), (first + 1).into()]);
    children(&mut nodes[node(&bones, Bone::Head)]).extend([(first + 2).into(), (first + 3).into()]);
    let binds: Vec<[f32; 16]> = bones.iter().map(|bone| inverse_bind_matrix(bone.position())).collect();
    let skin = json!({
        "inverseBindMatrices": glb.values_accessor(&binds),
        "joints": (1..=bones.len()).collect::<Vec<_>>(),
        "skeleton": node(&bones, Bone::Hips),
    });
    let images = [("light", false), ("shade", true)]
        .map(|(name, in_shade)| glb.image(name, &texture(palette, in_shade)));
    let textures = images.map(|image| json!({"sampler": 0, "source": image}));
    let extensions = json!({
        "VRMC_vrm": vrm(palette, &bones, first + 2),
        "VRMC_springBone": springs(&bones),
    });
    let rest = json!({
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "meshes": meshes,
        "skins": [skin],
        "textures": textures,
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
        "materials": materials(palette),
        "extensionsUsed": ["VRMC_vrm", "VRMC_springBone", "VRMC_materials_mtoon", "KHR_materials_unlit"],
        "extensions": extensions,
    });
    glb.finish(object(rest))
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

/// Returns the node index of a bone; node 0 is the root.
fn node(bones: &[Bone], bone: Bone) -> usize {
    bones.iter().position(|&other| other == bone).unwrap_or_default() + 1
}

fn bone_nodes(bones: &[Bone]) -> Vec<Value> {
    let mut nodes = vec![json!({"name": "root", "children": [1]})];
    for &bone in bones {
        let below = bones.iter().filter(|below| below.parent() == Some(bone));
        let below: Vec<usize> = below.map(|&below| node(bones, below)).collect();
        let mut made = json!({"name": bone.name(), "translation": bone.offset()});
        if !below.is_empty() {
            made["children"] = below.into();
        }
        nodes.push(made);
    }
    nodes
}

fn children(node: &mut Value) -> &mut Vec<Value> {
    let children = &mut node["children"];
    if !children.is_array() {
        *children = json!([]);
    }
    match children {
        Value::Array(children) => children,
        _ => unreachable!("it was made one"),
    }
}

/// Returns the inverse bind matrix of a bone: the translation from its position to the origin.
fn inverse_bind_matrix([x, y, z]: Point) -> [f32; 16] {
    let mut matrix = [0.0; 16];
    for diagonal in [0, 5, 10, 15] {
        matrix[diagonal] = 1.0;
    }
    matrix[12..15].copy_from_slice(&[-x, -y, -z]);
    matrix
}

fn skinned(glb: &mut Glb, name: &str, surface: &SkinnedMesh, material: usize) -> Value {
    let SkinnedMesh { points, normals, uvs, joints, weights, triangles } = surface;
    json!({"name": name, "primitives": [{
        "attributes": {
            "POSITION": glb.vertex_attribute(points),
            "NORMAL": glb.vertex_attribute(normals),
            "TEXCOORD_0": glb.vertex_attribute(uvs),
            "JOINTS_0": glb.bytes(joints, false),
            "WEIGHTS_0": glb.bytes(weights, true),
        },
        "indices": glb.triangles(triangles),
        "material": material,
    }]})
}

/// Adds a part of the face, which is attached to the head.
fn drawn(glb: &mut Glb, name: &str, face: Face, material: usize, target_names: &[String]) -> Value {
    let Face { points, normals, uvs, triangles, displacements } = face;
    let from_neck = subtract(HEAD, Bone::Head.position());
    let points: Vec<Point> = points.into_iter().map(|point| add(point, from_neck)).collect();
    let targets: Vec<Value> = displacements
        .iter()
        .map(|displacements| json!({"POSITION": glb.displacements(displacements)}))
        .collect();
    json!({
        "name": name,
        "extras": {"targetNames": target_names},
        "weights": vec![0; target_names.len()],
        "primitives": [{
            "attributes": {
                "POSITION": glb.vertex_attribute(&points),
                "NORMAL": glb.vertex_attribute(&normals),
                "TEXCOORD_0": glb.vertex_attribute(&uvs),
            },
            "indices": glb.triangles(&triangles),
            "material": material,
            "targets": targets,
        }],
    })
}

fn name(target: MorphTarget) -> String {
    match target {
        MorphTarget::Close(BodySide::Left) => "closeLeft".into(),
        MorphTarget::Close(BodySide::Right) => "closeRight".into(),
        target => {
            let name = format!("{target:?}");
            name[..1].to_lowercase() + &name[1..]
        }
    }
}

fn materials(palette: &Palette) -> Value {
    let colour = |slot| linear(palette.colour(slot));
    let material = |name: &str, outlined: bool, lit: bool, glow: Point| {
        let mut toon = json!({
            "specVersion": "1.0",
            "transparentWithZWrite": false,
            "renderQueueOffsetNumber": 0,
            "shadeColorFactor": [1.0, 1.0, 1.0],
            "shadeMultiplyTexture": {"index": 1},
            "shadingShiftFactor": if lit { -0.08 } else { 1.0 },
            "shadingToonyFactor": 0.86,
            "giEqualizationFactor": 0.9,
            "parametricRimColorFactor": if lit { linear([0.56, 0.6, 1.0]) } else { [0.0; 3] },
            "parametricRimFresnelPowerFactor": 4.0,
            "parametricRimLiftFactor": 0.0,
            "rimLightingMixFactor": 0.4,
            "outlineWidthMode": "none",
        });
        if outlined {
            toon["outlineWidthMode"] = "worldCoordinates".into();
            toon["outlineWidthFactor"] = OUTLINE.into();
            toon["outlineColorFactor"] = json!(linear(palette.colour(ColourSlot::Ink)));
            toon["outlineLightingMixFactor"] = 0.2.into();
        }
        json!({
            "name": name,
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.0, "roughnessFactor": 0.9},
            "emissiveFactor": glow,
            "alphaMode": "OPAQUE",
            "extensions": {"KHR_materials_unlit": {}, "VRMC_materials_mtoon": toon},
        })
    };
    let mut cheeks = material("cheeks", false, false, [0.0; 3]);
    cheeks["alphaMode"] = "BLEND".into();
    cheeks["pbrMetallicRoughness"]["baseColorFactor"] = json!([1.0, 1.0, 1.0, 0.55]);
    let glow = colour(ColourSlot::Moon).map(|part| part * 0.25);
    json!([
        material("body", true, true, [0.0; 3]),
        material("moon", true, true, glow),
        material("face", false, false, [0.0; 3]),
        cheeks,
    ])
}

fn vrm(palette: &Palette, bones: &[Bone], face: usize) -> Value {
    let humans = bones.iter().filter(|bone| bone.is_human());
    let humans: Map<String, Value> =
        humans.map(|&bone| (bone.name(), json!({"node": node(bones, bone)}))).collect();
    let range = |degrees: f32| json!({"inputMaxValue": degrees, "outputScale": 1.0});
    json!({
        "specVersion": "1.0",
        "meta": {
            "name": format!("Luna, {}", palette.title),
            "version": "1",
            "authors": ["Perigee"],
            "licenseUrl": LICENCE,
            "avatarPermission": "everyone",
            "allowExcessivelyViolentUsage": false,
            "allowExcessivelySexualUsage": false,
            "commercialUsage": "corporation",
            "allowPoliticalOrReligiousUsage": false,
            "allowAntisocialOrHateUsage": false,
            "creditNotation": "unnecessary",
            "allowRedistribution": true,
            "modification": "allowModificationRedistribution",
        },
        "humanoid": {"humanBones": humans},
        "lookAt": {
            "type": "expression",
            "offsetFromHeadBone": subtract(HEAD, Bone::Head.position()),
            "rangeMapHorizontalInner": range(60.0),
            "rangeMapHorizontalOuter": range(60.0),
            "rangeMapVerticalDown": range(45.0),
            "rangeMapVerticalUp": range(45.0),
        },
        "expressions": {"preset": presets(face), "custom": custom(palette)},
    })
}

fn presets(face: usize) -> Value {
    let bind = |(target, weight): (MorphTarget, f32)| {
        let index = MORPH_TARGETS.iter().position(|&other| other == target).unwrap_or_default();
        json!({"node": face, "index": index, "weight": weight})
    };
    let expression = |targets: &[(MorphTarget, f32)], blink: &str, look: &str| {
        json!({
            "morphTargetBinds": targets.iter().copied().map(bind).collect::<Vec<_>>(),
            "isBinary": false, "overrideBlink": blink, "overrideLookAt": look, "overrideMouth": "none",
        })
    };
    let plain = |target: MorphTarget| expression(&[(target, 1.0)], "none", "none");
    let blush = json!({"node": face + 1, "index": 0, "weight": 1.0});
    let (left, right) = (MorphTarget::Close(BodySide::Left), MorphTarget::Close(BodySide::Right));
    let mut happy = expression(
        &[(MorphTarget::Smiling, 1.0), (MorphTarget::Smile, 1.0), (MorphTarget::BrowsUp, 0.5)],
        "block",
        "block",
    );
    if let Value::Array(binds) = &mut happy["morphTargetBinds"] {
        binds.push(blush);
    }
    json!({
        "happy": happy,
        "angry": expression(&[(MorphTarget::BrowsDown, 1.0), (MorphTarget::Frown, 1.0)], "none", "none"),
        "sad": expression(&[(MorphTarget::BrowsSad, 1.0), (MorphTarget::Frown, 1.0), (left, 0.18), (right, 0.18)], "blend", "none"),
        "relaxed": expression(&[(left, 0.55), (right, 0.55), (MorphTarget::Smile, 0.6)], "blend", "none"),
        "surprised": expression(&[(MorphTarget::Wide, 1.0), (MorphTarget::BrowsUp, 1.0), (MorphTarget::Oh, 0.7)], "block", "none"),
        "neutral": expression(&[], "none", "none"),
        "aa": plain(MorphTarget::Aa),
        "ih": plain(MorphTarget::Ih),
        "ou": plain(MorphTarget::Ou),
        "ee": plain(MorphTarget::Ee),
        "oh": plain(MorphTarget::Oh),
        "blink": expression(&[(left, 1.0), (right, 1.0)], "none", "none"),
        "blinkLeft": plain(left),
        "blinkRight": plain(right),
        "lookUp": plain(MorphTarget::LookUp),
        "lookDown": plain(MorphTarget::LookDown),
        "lookLeft": plain(MorphTarget::LookLeft),
        "lookRight": plain(MorphTarget::LookRight),
    })
}

/// The custom expression that makes the moon shine.
fn custom(palette: &Palette) -> Value {
    let [red, green, blue] = linear(palette.colour(ColourSlot::Moon));
    json!({"shine": {
        "morphTargetBinds": [],
        "materialColorBinds": [{"material": MOON, "type": "emissionColor", "targetValue": [red, green, blue, 1.0]}],
        "isBinary": false, "overrideBlink": "none", "overrideLookAt": "none", "overrideMouth": "none",
    }})
}

fn springs(bones: &[Bone]) -> Value {
    let joint = |bone: Bone, stiffness: f32, gravity: f32, drag: f32| {
        json!({
            "node": node(bones, bone), "hitRadius": 0.02, "stiffness": stiffness,
            "gravityPower": gravity, "gravityDir": [0.0, -1.0, 0.0], "dragForce": drag,
        })
    };
    // Stiff enough that the moon stays recognizable while the body shakes with laughter.
    let stalk: Vec<Value> = (0..STALK).map(|step| joint(Bone::Stalk(step), 3.2, 0.02, 0.5)).collect();
    let mut springs = vec![json!({"name": "stalk", "joints": stalk})];
    for side in SIDES {
        let joints: Vec<Value> =
            (0..SCARF).map(|step| joint(Bone::Scarf(side, step), 0.6, 0.18, 0.35)).collect();
        let name = Bone::Scarf(side, 0).name().trim_end_matches('0').to_owned();
        springs.push(json!({"name": name, "joints": joints, "colliderGroups": [0]}));
    }
    let ball = |bone: Bone, offset: Point, radius: f32| json!({"node": node(bones, bone), "shape": {"sphere": {"offset": offset, "radius": radius}}});
    json!({
        "specVersion": "1.0",
        "colliders": [ball(Bone::Chest, [0.0, -0.04, 0.0], 0.15), ball(Bone::Hips, [0.0, 0.03, 0.0], 0.16)],
        "colliderGroups": [{"name": "torso", "colliders": [0, 1]}],
        "springs": springs,
    })
}
