module tenon.test/peers/testing-oracle

go 1.26

require (
	github.com/hashicorp/terraform-json v0.27.2
	github.com/hashicorp/terraform-plugin-testing v1.16.0
)

require (
	github.com/apparentlymart/go-textseg/v15 v15.0.0 // indirect
	github.com/hashicorp/go-version v1.9.0 // indirect
	github.com/zclconf/go-cty v1.18.1 // indirect
	golang.org/x/text v0.36.0 // indirect
)
