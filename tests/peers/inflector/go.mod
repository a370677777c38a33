module tenon.test/peers/inflector

go 1.26

require github.com/pulumi/inflector v0.2.1
